-- The proofs of possession (DPoP) that were used recently, so that none is accepted twice. Unlogged,
-- because a proof is only valid for minutes.
create unlogged table kernel.used_proof (
  proof_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_proof_expires_at_idx on kernel.used_proof (expires_at);
