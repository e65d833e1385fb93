/** Prints the exports of a module as JSON: the screens that a file declares, without their functions. */
const [file = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify({ ...((await import(file)) as object) }))

export {}
