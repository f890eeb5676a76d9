-- A message of 3 MB, transactional and not.
--@ sees BCM
--@ matrix memory=small proto=1 messages=true origin=any two_phase=off
CREATE PUBLICATION pub;

--@ run
SELECT pg_logical_emit_message(true, 'large', repeat('0123456789', 300000));
SELECT pg_logical_emit_message(false, 'large', decode(repeat('00ff7f', 1000000), 'hex'));
