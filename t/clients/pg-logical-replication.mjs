// The package pg-logical-replication:
// node pg-logical-replication.mjs SLOT PUBLICATION [binary]
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';
import { connection, lastTable, mode, printLine, publication, slot } from './lines.mjs';

// The package reads binary values, but has no option to ask for them.
class BinaryPlugin extends PgoutputPlugin {
  start(client, slotName, lastLsn) {
    return client.query(
      `START_REPLICATION SLOT "${slotName}" LOGICAL ${lastLsn} ` +
        `(proto_version '1', publication_names '${publication}', messages 'true', binary 'true')`);
  }
}

const Plugin = mode === 'binary' ? BinaryPlugin : PgoutputPlugin;
const plugin = new Plugin({ protoVersion: 1, publicationNames: [publication], messages: true });
const service = new LogicalReplicationService(connection, { acknowledge: { auto: true } });

service.on('data', (lsn, message) => {
  switch (message.tag) {
    case 'insert':
    case 'update':
    case 'delete':
      printLine(message.tag, message.relation.name, message.key ?? message.old ?? null,
        message.new ?? null);
      if (message.relation.name === lastTable) setTimeout(() => service.destroy(), 0);
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
});
service.on('error', error => {
  console.error(error);
  process.exitCode = 1;
});
await service.subscribe(plugin, slot);
