import type { AddressInfo } from 'node:net'
import { buildApp } from '../../app'

/** One more process on a database, for HTTP alone, until somebody kills it; see idempotency.test.ts. */
async function main() {
  const [, , url, adminPassword] = process.argv
  const app = await buildApp({
    database: { kind: 'server', url: url! },
    adminPassword,
    empty: true,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  console.log(`listening ${(app.server.address() as AddressInfo).port}`)
}

void main()
