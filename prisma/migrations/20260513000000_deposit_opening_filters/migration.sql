-- Each statement by itself. For the lists of openings of a customer and under a product.
drop index concurrently if exists accounts.deposit_opening_customer_id_idx;
create index concurrently deposit_opening_customer_id_idx
  on accounts.deposit_opening (customer_id, created_at, deposit_opening_id);
drop index concurrently if exists accounts.deposit_opening_product_id_idx;
create index concurrently deposit_opening_product_id_idx
  on accounts.deposit_opening (product_id, created_at, deposit_opening_id);
