/** `pnpm bench <name>` runs the default export of `./<name>.ts`. */
const [name = '', ...words] = process.argv.slice(2)
if (!/^\w+$/.test(name)) throw new Error('pnpm bench <name>, for example: pnpm bench weight')
const { default: run } = (await import(`./${name}.ts`)) as {
  default: (...words: string[]) => Promise<void>
}
await run(...words)
// A database in memory keeps no handle and may leave a promise open.
process.exit()

export {}
