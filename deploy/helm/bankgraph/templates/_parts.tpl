{{- define "bankgraph.labels" -}}
app.kubernetes.io/name: bankgraph
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bankgraph.urls" -}}
{{- $urls := dict }}
{{- range $process := .Values.subgraphs }}
{{- range $process.names }}
{{- $_ := set $urls . (printf "http://127.0.0.1:%v/%s/graphql" $process.port .) }}
{{- end }}
{{- end }}
{{- toJson $urls }}
{{- end }}

{{- define "bankgraph.environment" -}}
- { name: DATA_DIR, value: /var/lib/bankgraph/data }
- { name: DATABASE_URL_FILE, value: /run/secrets/bankgraph/database-url }
- { name: SANDBOX_DATABASE_URL_FILE, value: /run/secrets/bankgraph/sandbox-database-url }
- { name: NATS_URL_FILE, value: /run/secrets/bankgraph/nats-url }
- { name: DOCUMENTS_URL_FILE, value: /run/secrets/bankgraph/documents-url }
- { name: PUBLIC_URL, value: {{ required "Set publicUrl." .Values.publicUrl | quote }} }
- { name: SANDBOX_PUBLIC_URL, value: {{ required "Set sandboxPublicUrl." .Values.sandboxPublicUrl | quote }} }
- { name: SHUTDOWN_DELAY_SECONDS, value: {{ .Values.shutdown.delaySeconds | quote }} }
- { name: SHUTDOWN_GRACE_SECONDS, value: {{ .Values.shutdown.graceSeconds | quote }} }
- { name: SUBGRAPH_URLS, value: {{ include "bankgraph.urls" . | quote }} }
{{- range $name, $value := .Values.settings }}
{{- /* `quote` alone would write large numbers as 1.048576e+06. */}}
- { name: {{ $name }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }} }
{{- end }}
{{- end }}

{{- define "bankgraph.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{ toJson .Values.resources }}
volumeMounts:
  - { name: data, mountPath: /var/lib/bankgraph }
  - { name: tmp, mountPath: /tmp }
  - { name: secret, mountPath: /run/secrets/bankgraph, readOnly: true }
{{- end }}
