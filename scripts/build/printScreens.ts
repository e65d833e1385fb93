import { readScreens } from './screens.ts'

/** Prints the screens of a remote for its release record: `printScreens.ts <name> <folder>`. */
const [name = '', folder = ''] = process.argv.slice(2)
try {
  process.stdout.write(JSON.stringify(await readScreens(name, folder)))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
