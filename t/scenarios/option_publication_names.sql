-- The list of publications: empty, with spaces, quotes, capitals, an open
-- quote, stray commas and backslashes, names that are too long, names twice.
--@ sees BCRI
--@ error 42602
--@16- error 22023
--@17- error 42704
--@ matrix memory=small proto=1
--@ call proto_version '1', publication_names ''
--@ call proto_version '1', publication_names ' '
--@ call proto_version '1', publication_names '  pub  '
--@ call proto_version '1', publication_names 'PUB'
--@ call proto_version '1', publication_names '"pub"'
--@ call proto_version '1', publication_names '"Pub"'
--@ call proto_version '1', publication_names '"pub'
--@ call proto_version '1', publication_names 'pub"'
--@ call proto_version '1', publication_names '"pub" x'
--@ call proto_version '1', publication_names 'pub pub'
--@ call proto_version '1', publication_names 'pub,'
--@ call proto_version '1', publication_names ',pub'
--@ call proto_version '1', publication_names 'pub,,pub'
--@ call proto_version '1', publication_names 'pub,pub'
--@ call proto_version '1', publication_names 'pub , "Pub"'
--@ call proto_version '1', publication_names '""'
--@ call proto_version '1', publication_names 'pub\'
--@ call proto_version '1', publication_names '\'
--@ call proto_version '1', publication_names 'pub, \'
--@ call proto_version '1', publication_names 'pub.pub'
--@ call proto_version '1', publication_names 'pub;pub'
--@ call proto_version '1', publication_names '"a""b"'
--@ call proto_version '1', publication_names 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
--@ call proto_version '1', publication_names '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"'
--@ call proto_version '1', publication_names 'pub'
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION "Pub" FOR TABLE t;
CREATE PUBLICATION "a""b" FOR TABLE t;
CREATE PUBLICATION "pub\" FOR TABLE t;
CREATE PUBLICATION "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" FOR TABLE t;

--@ run
INSERT INTO t VALUES (1);
