/** Runs the default export of `./<name>.ts` for `pnpm bench <name>`. */
const [name = '', ...args] = process.argv.slice(2)
if (!/^\w+$/.test(name)) throw new Error('pnpm bench <name>, for example: pnpm bench weight')
const { default: run } = (await import(`./${name}.ts`)) as {
  default: (...words: string[]) => Promise<void>
}
await run(...args)
// An in-memory database holds no handle and may leave a promise pending.
process.exit()

export {}
