-- The flush argument of 17 and later makes no difference to what is sent.
--@16- skip
--@ sees BCM
CREATE PUBLICATION pub;

--@ run
SELECT pg_logical_emit_message(true, 'flushed', 'transactional', true);
SELECT pg_logical_emit_message(false, 'flushed', 'non-transactional', true);
SELECT pg_logical_emit_message(false, 'flushed', '\x00'::bytea, flush => true);
