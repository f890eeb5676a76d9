-- Values of all options: booleans in every spelling, doubled, malformed,
-- unknown names, names in capitals, options that this server is too old for.
--@ sees BCRIM
--@ error 42601 XX000
--@16+ error 22023
--@ matrix memory=small proto=1
--@ call proto_version '1', publication_names 'pub', binary 'yes', messages 'T'
--@ call proto_version '1', publication_names 'pub', binary '1', messages 'on'
--@ call proto_version '1', publication_names 'pub', binary 'of', messages 'n'
--@ call proto_version '1', publication_names 'pub', binary 'TRUE', messages 'FALSE'
--@ call proto_version '1', publication_names 'pub', binary 'maybe'
--@ call proto_version '1', publication_names 'pub', binary ''
--@ call proto_version '1', publication_names 'pub', messages '2'
--@ call proto_version '1', publication_names 'pub', binary 'on', binary 'on'
--@ call proto_version '1', publication_names 'pub', messages 'on', messages 'off'
--@ call proto_version '2', publication_names 'pub', streaming 'on', streaming 'on'
--@ call proto_version '3', publication_names 'pub', two_phase 'off', two_phase 'off'
--@ call proto_version '1', publication_names 'pub', publication_names 'pub'
--@ call proto_version '1', publication_names 'pub', origin 'any', origin 'any'
--@ call proto_version '1', publication_names 'pub', origin 'any'
--@ call proto_version '1', publication_names 'pub', origin 'none'
--@ call proto_version '1', publication_names 'pub', origin 'ANY'
--@ call proto_version '1', publication_names 'pub', origin 'x'
--@ call proto_version '1', publication_names 'pub', origin ''
--@ call proto_version '2', publication_names 'pub', streaming 'TRUE'
--@ call proto_version '2', publication_names 'pub', streaming '1'
--@ call proto_version '2', publication_names 'pub', streaming '0'
--@ call proto_version '2', publication_names 'pub', streaming 'yes'
--@ call proto_version '2', publication_names 'pub', streaming 'Off'
--@ call proto_version '2', publication_names 'pub', streaming ''
--@ call proto_version '2', publication_names 'pub', streaming 'x'
--@16+ call proto_version '4', publication_names 'pub', streaming 'PARALLEL'
--@ call proto_version '3', publication_names 'pub', two_phase 'x'
--@ call proto_version '1', publication_names 'pub', unknown 'x'
--@ call proto_version '1', publication_names 'pub', "Binary" 'on'
--@ call proto_version '1', publication_names 'pub', BINARY 'on'
--@ call unknown 'x', proto_version '1', publication_names 'pub'
--@ call publication_names 'pub', messages 'on', proto_version '1'
--@ call proto_version '1', publication_names 'pub'
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1);
SELECT pg_logical_emit_message(true, 'p', 'x');
