import { parseArgs } from 'node:util'
import { packageNamed, packages } from './build/packages.ts'
import { openPage } from './dev/page.ts'
import { developed, serve } from './dev/serve.ts'
import { refreshableRemote } from './dev/refresh.ts'

const ports: Record<string, number> = { deviceAccess: 3101, system: 3102, enterprise: 3103 }

/** Runs `pnpm dev system`; `--console` is the address of a running console. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    console: { type: 'string', default: 'http://localhost:8080' },
    port: { type: 'string' },
  },
})
const one = packageNamed(positionals[0] ?? '')
if (!one || one.name === 'host') {
  console.error(
    `pnpm dev <remote>；可用：${packages
      .filter(({ name }) => name !== 'host')
      .map(({ name }) => name)
      .join('、')}`,
  )
  process.exit(1)
}

const port = Number(values.port ?? ports[one.name])
const page = port + 100
await openPage({ port: page, console: values.console })
serve({
  ...one,
  config: refreshableRemote({ ...one, name: one.name, build: developed }),
  port,
  console: `http://localhost:${page}`,
})
