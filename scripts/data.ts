import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatBackupHelp, isBackupCommand, runBackupCommand } from 'server/src/backupCommands'
import { copyDatabase, formatCopySummary } from 'server/src/core/db/copyDatabase'
import { openDatabase, type DatabaseSource } from 'server/src/core/db/openDatabase'
import { describeReason } from 'server/src/core/logging/safeError'

const help = `${formatBackupHelp('pnpm data')}
复制：
  pnpm data copy --from <数据目录或 postgresql://…> --to <数据目录或 postgresql://…>
  把一个平台的全部数据复制到一个空的数据库，逐表核对行数；来源不变。复制前先停下使用这两个数据库的平台。`

async function run() {
  const [command, ...args] = process.argv.slice(2)
  if (isBackupCommand(command))
    return runBackupCommand('pnpm data', command, args, process.env, console.log)
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' } },
  })
  if (positionals[0] !== 'copy' || !values.from || !values.to) throw new Error(help)
  const source = parseDatabaseSource(values.from)
  if (source.kind !== 'server' && 'folder' in source && !existsSync(source.folder))
    throw new Error(`${values.from} 中没有数据库`)
  const from = await openDatabase(source)
  try {
    const to = await openDatabase(parseDatabaseSource(values.to))
    try {
      console.log(formatCopySummary(await copyDatabase(from.db, to.db)))
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** Returns the database of a PostgreSQL address or of a data folder, as given to `npm start` with `--data`. */
function parseDatabaseSource(location: string): DatabaseSource {
  if (/^postgres(ql)?:/.test(location)) return { kind: 'server', url: location }
  const folder = join(resolve(location), 'database')
  // Earlier versions wrote with PGlite where PostgreSQL could not run; only such data has this folder alone.
  const isPglite = existsSync(join(folder, 'pgdata')) && !existsSync(join(folder, 'postgres'))
  return { kind: isPglite ? 'pglite' : 'embedded', folder }
}

run().catch((error: unknown) => {
  console.error(describeReason(error))
  process.exit(1)
})
