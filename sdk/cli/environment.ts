/** The settings that a person or a script gives the command, such as `BANKGRAPH_URL`. */
export const environment: Readonly<Record<string, string | undefined>> = process.env
