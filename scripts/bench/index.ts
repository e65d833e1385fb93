import { readdirSync } from 'node:fs'

/**
 * Runs the default export of `./<name>.ts` for `pnpm bench <name>`; without a name it lists the benchmarks.
 * `pnpm bench --small` runs each of them in a small size, `pnpm bench --small <name>…` those that are named.
 */
const words = process.argv.slice(2)
const isSmall = words[0] === '--small'
const [name, ...args] = isSmall ? words.slice(1) : words
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.replace('.ts', ''))

const unknownName = (isSmall ? words.slice(1) : words.slice(0, 1)).find(
  (word) => !names.includes(word),
)
if (unknownName !== undefined || words.length === 0) {
  if (unknownName !== undefined) console.error(`没有这项测量：${unknownName}`)
  console.log(`pnpm bench <名称>：${names.join(' ')}\n说明和结果见 docs/benchmarks.md`)
  process.exit(unknownName === undefined ? 0 : 1)
}

const load = async (benchmark: string) =>
  ((await import(`./${benchmark}.ts`)) as { default: (...args: string[]) => Promise<void> }).default

if (isSmall) {
  // The benchmarks read their size when they are loaded.
  process.env.BENCH_SMALL = '1'
  for (const benchmark of name === undefined ? names : [name, ...args]) {
    console.log(`\n# ${benchmark}`)
    await (
      await load(benchmark)
    )()
  }
} else await (await load(name!))(...args)
// A platform or a browser that a failed benchmark left open must not keep the process alive.
process.exit()
