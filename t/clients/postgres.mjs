// The package postgres: node postgres.mjs - PUBLICATION
//
// It makes a temporary slot of its own, of the plugin named pgoutput, and says
// by a line when changes from now on will be seen.
import postgres from 'postgres';
import { connection, lastTable, printLine, publication } from './lines.mjs';

const sql = postgres({ ...connection, publications: publication });
let finished;
const end = new Promise(resolve => { finished = resolve; });

const { unsubscribe, state } = await sql.subscribe(
  '*',
  (row, { command, relation, key, old }) => {
    printLine(command, relation.table, old ?? null, row);
    if (relation.table === lastTable) finished();
  },
  () => {});
printLine('subscribed', state.pid);
await end;
await unsubscribe();
process.exit(0);
