// What all clients here do with a change: print it as one line of JSON, with
// bytes as hexadecimal, and end after the row that is the last one.
import process from 'node:process';

function plain(value) {
  if (value instanceof Uint8Array) return '\\x' + Buffer.from(value).toString('hex');
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Array) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  }
  return value === undefined ? '(absent)' : value;
}

export function printLine(...fields) {
  process.stdout.write(JSON.stringify(fields.map(plain)) + '\n');
}

export const connection = {
  host: '127.0.0.1',
  port: Number(process.env.PGPORT),
  user: process.env.PGUSER,
  database: 'postgres',
};

export const [slot, publication, mode] = process.argv.slice(2);
export const lastTable = 'finish';
