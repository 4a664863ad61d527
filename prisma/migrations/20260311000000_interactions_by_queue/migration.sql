-- Employees list the interactions of a queue and of an agent.
create index interaction_queue_id_created_at_interaction_id_idx
  on channels.interaction (queue_id, created_at, interaction_id);
create index interaction_agent_id_created_at_interaction_id_idx
  on channels.interaction (agent_id, created_at, interaction_id);
