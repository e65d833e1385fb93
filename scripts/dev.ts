import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Configuration } from 'webpack'
import { packageNamed, packages } from './build/packages.ts'
import { serve } from './dev/serve.ts'
import { root } from './root.ts'

const ports: Record<string, number> = { deviceAccess: 3101, system: 3102, enterprise: 3103 }

/** `pnpm dev system`; `--console` is the address of the console that shows it. */
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

const { default: configure } = (await import(join(root, one.folder, 'webpack.config.ts'))) as {
  default: (build: string, dev: boolean) => Configuration
}
serve({
  ...one,
  config: configure('dev', true),
  port: Number(values.port ?? ports[one.name]),
  console: values.console,
})
