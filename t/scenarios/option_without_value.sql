-- Options without a value, which a walsender lets through.  Two of them
-- crash pgoutput of 18 and cannot be compared there.
--@ sees BCRIM
--@ error 42601 22023 XX000
--@ matrix memory=small proto=1
--@17- call proto_version
--@17- call proto_version, publication_names 'pub'
--@17- call proto_version '1', publication_names
--@ call proto_version '1', publication_names 'pub', binary
--@ call proto_version '1', publication_names 'pub', messages
--@ call proto_version '2', publication_names 'pub', streaming
--@ call proto_version '1', publication_names 'pub', streaming
--@ call proto_version '3', publication_names 'pub', two_phase 'off'
--@ call proto_version '1', publication_names 'pub', two_phase
--@ call proto_version '1', publication_names 'pub', origin
--@ call proto_version '1', publication_names 'pub', unknown
--@ call proto_version '1', publication_names 'pub'
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1);
SELECT pg_logical_emit_message(true, 'p', 'x');
