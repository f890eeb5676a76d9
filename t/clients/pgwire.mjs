// The package pgwire: node pgwire.mjs SLOT PUBLICATION [binary]
import { pgconnection } from 'pgwire';
import { connection, lastTable, mode, printLine, publication, slot } from './lines.mjs';

const client = pgconnection({ ...connection, replication: 'database' });
const options = { proto_version: '1', publication_names: publication, messages: 'true' };
if (mode === 'binary') options.binary = 'true';
const stream = client.logicalReplication({ slot, options });

// Its rows decode a value when it is asked for.
const row = tuple => tuple && Object.fromEntries([...tuple]);

let done = false;
try {
  for await (const { lastLsn, messages } of stream.pgoutputDecode()) {
    for (const message of messages) {
      switch (message.tag) {
        case 'insert':
        case 'update':
        case 'delete':
          printLine(message.tag, message.relation.name, row(message.before), row(message.after));
          done ||= message.relation.name === lastTable;
          break;
        case 'truncate':
          printLine(message.tag, message.relations.map(relation => relation.name),
            message.cascade, message.restartIdentity);
          break;
        case 'message':
          printLine(message.tag, message.prefix, message.content, message.transactional);
          break;
        case 'type':
          printLine(message.tag, message.typeSchema, message.typeName);
          break;
        case 'relation':
          printLine(message.tag, message.schema, message.name, message.replicaIdentity,
            message.columns.map(column => [column.name, column.typeName, column.flags]));
          break;
      }
    }
    stream.ack(lastLsn);
    if (done) break;
  }
} finally {
  await client.end();
}
