import { readdirSync } from 'node:fs'

/** Runs the default export of `./<name>.ts` for `pnpm bench <name>`; without a name it lists the benchmarks. */
const [name, ...args] = process.argv.slice(2)
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.replace('.ts', ''))

if (name === undefined || !names.includes(name)) {
  if (name !== undefined) console.error(`没有这项测量：${name}`)
  console.log(`pnpm bench <名称>：${names.join(' ')}\n说明和结果见 docs/benchmarks.md`)
  process.exit(name === undefined ? 0 : 1)
}
const { default: run } = (await import(`./${name}.ts`)) as {
  default: (...args: string[]) => Promise<void>
}
await run(...args)
// An in-memory database holds no handle and may leave a promise pending.
process.exit()
