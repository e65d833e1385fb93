import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { sql } from 'drizzle-orm'
import { backupCommandNames, runBackupCommand } from './backupCommands'
import { readArchive } from './core/backup/archiveReader'
import { writeArchive } from './core/backup/archiveWriter'
import { createBackup } from './core/backup/createBackup'
import { BackupHeader, headerName, transientTables } from './core/backup/format'
import type { Db } from './core/db/db'
import { createHistoryPartitions } from './core/db/historyPartitions'
import { migrate } from './core/db/migrate'
import { openDatabase } from './core/db/openDatabase'
import { listTables } from './core/db/platformTables'
import { prepareTestPostgres } from './core/db/postgres/testing'
import { seed } from './seed'
import { createTestDatabase } from './testing.database'

const passphrase = 'a long passphrase'
let root: string
let database: Awaited<ReturnType<typeof openDatabase>>
const at = (name: string) => join(root, name)

/** Runs a command as `node main.js` does and returns what it prints. */
async function run(name: (typeof backupCommandNames)[number], ...args: string[]) {
  const lines: string[] = []
  await runBackupCommand('node main.js', name, args, { DATA: at('data') }, (line) =>
    lines.push(line),
  )
  return lines.join('\n')
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'iot-backup-'))
  prepareTestPostgres(at('data/database'))
  database = await openDatabase({ kind: 'embedded', folder: at('data/database') })
  await migrate(database.db)
  await seed(database.db, {
    database: { kind: 'temporary', url: '' },
    adminPassword: 'Backup-2026',
  })
  await fillEveryTable(database.db)
  writeSite()
  writeFileSync(at('passphrase'), `${passphrase}\n`)
  await run('backup', '--to', at('good.tar.gz'))
}, 120_000)
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

/** Adds rows that the seed has none of: history of several days, a picture, and awkward text. */
async function fillEveryTable(db: Db) {
  const day = 86_400_000
  const times = [0, 1, 40].map((days) => Date.now() - days * day)
  await createHistoryPartitions(db).prepare(times)
  for (const [index, time] of times.entries())
    await db.execute(sql`
      insert into property_history (project_id, device_id, identifier, time, value)
      select 1, gen_random_uuid(), ${`p${index}`}, ${new Date(time).toISOString()}::timestamptz,
        to_jsonb(E'制表\\t换行\\n反斜线\\\\ \\u00e9'::text) from generate_series(1, 500)`)
  const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
  const id = createHash('sha256').update(content).digest('hex').slice(0, 32)
  await db.execute(sql`
    insert into uploaded_file (id, name, type, size, content, create_by, create_time)
    values (${id}, '图.png', 'image/png', ${content.length}, ${content}, 'admin', now())`)
}

function writeSite() {
  const files = {
    'pointer.json': '{"revision":1}',
    'ledger/00000001.json': '{"revision":1}',
    'host/a/index.html': '<html>',
    'remotes/system/b/main.js': randomBytes(150_000).toString('hex'),
    '.half.part': 'half',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(at('data/site'), name, '..'), { recursive: true })
    writeFileSync(join(at('data/site'), name), text)
  }
}

/** Counts the rows of each table and hashes them, so that two databases can be compared. */
async function describeTables(db: Db) {
  const entries: [string, unknown][] = []
  for (const { name, columns } of await listTables(db)) {
    const fields = columns.map((column) => `"${column.name}"`).join(', ')
    const { rows } = await db.execute(
      sql.raw(
        `select count(*)::int as rows, md5(coalesce(string_agg(line, '|' order by line), '')) as hash
         from (select (row(${fields}))::text as line from "${name}") as lines`,
      ),
    )
    entries.push([name, rows[0]])
  }
  return Object.fromEntries(entries)
}

describe('backup and restore', () => {
  test('restores every table, uploads and the site of a running platform', async () => {
    const before = await describeTables(database.db)
    expect(await run('restore', at('good.tar.gz'), '--data', at('restored'))).toContain(
      '逐表核对一致',
    )
    const restored = await openDatabase({ kind: 'embedded', folder: at('restored/database') })
    try {
      const after = await describeTables(restored.db)
      for (const name of transientTables) delete before[name]
      expect(after).toMatchObject(before)
      expect(before['property_history']).toMatchObject({ rows: 1500 })
    } finally {
      await restored.close()
    }
    expect(readdirSync(at('restored')).sort()).toEqual(['database', 'site'])
    expect(readdirSync(at('restored/site')).sort()).toEqual([
      'host',
      'ledger',
      'pointer.json',
      'remotes',
    ])
    expect(statSync(at('restored/site/remotes/system/b/main.js')).size).toBe(300_000)
  })

  test('makes a file that only this account can read and that tar opens', () => {
    expect(statSync(at('good.tar.gz')).mode & 0o777).toBe(0o600)
    const names = execFileSync('tar', ['tzf', at('good.tar.gz')], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(names[0]).toBe('header.json')
    expect(names.at(-1)).toBe('manifest.json')
    expect(names.some((name) => name.includes('.part'))).toBe(false)
  })

  test('restores into an empty database of a server, and refuses one with data', async () => {
    const { url } = await createTestDatabase('empty')
    const command = () =>
      runBackupCommand(
        'node main.js',
        'restore',
        [at('good.tar.gz'), '--data', at(`server-${Date.now()}`)],
        { DATABASE_URL: url },
        () => {},
      )
    await command()
    await expect(command()).rejects.toThrow('目标不是空的数据库')
  })

  test('verifies in a temporary instance and leaves nothing of it', async () => {
    expect(await run('verify', at('good.tar.gz'))).toContain('已在临时数据库中恢复并核对')
    expect(readdirSync(tmpdir()).filter((name) => name === `iot-verify-${process.pid}`)).toEqual([])
  })

  test('shows one moment while other connections write', async () => {
    await database.db.execute(
      sql`create table if not exists "pair" ("id" serial primary key, "side" text not null)`,
    )
    await database.db.execute(sql`create table if not exists "a_pair" (like "pair" including all)`)
    let isFinished = false
    const writer = (async () => {
      while (!isFinished)
        await database.db.transaction(async (tx) => {
          await tx.execute(sql`insert into "a_pair" ("side") values ('left')`)
          await tx.execute(sql`insert into "pair" ("side") values ('right')`)
        })
    })()
    const client = await database.openConnection()
    try {
      const { rows } = await createBackup({ client }, { file: at('consistent.tar.gz') })
      expect(rows['pair']).toBe(rows['a_pair'])
    } finally {
      isFinished = true
      await writer
      await client.end()
      await database.db.execute(sql`drop table "a_pair"`)
      await database.db.execute(sql`drop table "pair"`)
    }
  })
})

describe('refusals', () => {
  const expectNothingWritten = () =>
    expect(existsSync(at('refused')) ? readdirSync(at('refused')) : []).toEqual([])
  const restore = (file: string, ...args: string[]) =>
    run('restore', at(file), '--data', at('refused'), ...args)
  afterEach(() => rmSync(at('refused'), { recursive: true, force: true }))

  test('refuses to restore into a folder with files', async () => {
    mkdirSync(at('refused'))
    writeFileSync(at('refused/notes.txt'), 'mine')
    await expect(restore('good.tar.gz')).rejects.toThrow('不是空目录')
    expect(readdirSync(at('refused'))).toEqual(['notes.txt'])
  })

  test('refuses to overwrite a file', async () => {
    const size = statSync(at('good.tar.gz')).size
    await expect(run('backup', '--to', at('good.tar.gz'))).rejects.toThrow('不覆盖')
    expect(statSync(at('good.tar.gz')).size).toBe(size)
  })

  test.each([10, 1000, 0.5, 0.99])('refuses a file that ends early (%d)', async (length) => {
    const content = readFileSync(at('good.tar.gz'))
    writeFileSync(
      at('cut.tar.gz'),
      content.subarray(0, length > 1 ? length : content.length * length),
    )
    await expect(restore('cut.tar.gz')).rejects.toThrow(/已损坏|不完整/)
    expectNothingWritten()
  })

  test('refuses a file with a changed byte', async () => {
    const content = readFileSync(at('good.tar.gz'))
    content[Math.floor(content.length / 2)]! ^= 1
    writeFileSync(at('changed.tar.gz'), content)
    await expect(restore('changed.tar.gz')).rejects.toThrow(/已损坏/)
    expectNothingWritten()
  })

  test('refuses a changed part whose gzip is intact', async () => {
    const tar = gunzipSync(readFileSync(at('good.tar.gz')))
    const position = tar.indexOf('制表')
    tar[position]! ^= 1
    const { gzipSync } = await import('node:zlib')
    writeFileSync(at('part.tar.gz'), gzipSync(tar))
    await expect(restore('part.tar.gz')).rejects.toThrow('与清单不符')
    expectNothingWritten()
  })

  test('refuses an archive without a manifest', async () => {
    const archive = pack()
    archive.entry({ name: 'header.json' }, JSON.stringify(await readHeader()))
    archive.finalize()
    const { createWriteStream } = await import('node:fs')
    await pipeline(archive, createGzip(), createWriteStream(at('no-manifest.tar.gz')))
    await expect(restore('no-manifest.tar.gz')).rejects.toThrow('没有清单')
  })

  test('refuses a file of a newer schema and of a newer format', async () => {
    const header = await readHeader()
    const newer = {
      ...header,
      migrations: [
        ...header.migrations,
        { name: '9999_later.sql', statements: 1, version: '9.9.9' },
      ],
    }
    await writeHeaderOnly('newer.tar.gz', newer)
    await expect(restore('newer.tar.gz')).rejects.toThrow(/更新的版本写成.*\n.*9\.9\.9/)
    await writeHeaderOnly('format.tar.gz', { ...header, formatVersion: 2 })
    await expect(restore('format.tar.gz')).rejects.toThrow('读不懂它的格式')
    expectNothingWritten()
  })

  test('refuses a path that leads out of the folder', async () => {
    const header = await readHeader()
    await writeArchive(at('path.tar.gz'), {}, async (add) => {
      await add(headerName, Buffer.from(JSON.stringify(header)))
      await add('site/../../evil', Buffer.from('x'))
      return {}
    })
    await expect(restore('path.tar.gz')).rejects.toThrow('不认识的内容')
  })

  test('encrypts, and refuses a missing, wrong or short passphrase and a truncated file', async () => {
    const options = ['--passphrase-file', at('passphrase')]
    await run('backup', '--to', at('secret.tar.gz.enc'), ...options)
    const content = readFileSync(at('secret.tar.gz.enc'))
    await expect(restore('secret.tar.gz.enc')).rejects.toThrow('备份是加密的')
    writeFileSync(at('wrong'), 'another passphrase\n')
    await expect(restore('secret.tar.gz.enc', '--passphrase-file', at('wrong'))).rejects.toThrow(
      '口令不对',
    )
    writeFileSync(at('short'), 'short\n')
    await expect(restore('secret.tar.gz.enc', '--passphrase-file', at('short'))).rejects.toThrow(
      '至少 12 个字符',
    )
    // The cut is at the end of a chunk, where only the mark of the last chunk is missing.
    const frameHeaderEnd = content.indexOf('\n', content.indexOf('\n') + 1) + 1
    const fullChunks = Math.floor((content.length - frameHeaderEnd - 1) / (65_536 + 16))
    writeFileSync(at('cut.enc'), content.subarray(0, frameHeaderEnd + fullChunks * (65_536 + 16)))
    expect(fullChunks).toBeGreaterThan(0)
    await expect(restore('cut.enc', ...options)).rejects.toThrow(/已损坏|不完整/)
    expectNothingWritten()
    const { manifest } = await readArchive(at('secret.tar.gz.enc'), { passphrase })
    expect(manifest.rows['property_history']).toBe(1500)
  })

  test('leaves no file that looks like a backup when it is interrupted', async () => {
    const client = await database.openConnection()
    const controller = new AbortController()
    const promise = createBackup(
      { client },
      {
        file: at('interrupted.tar.gz'),
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('stop')),
      },
    )
    await expect(promise).rejects.toThrow()
    await client.end()
    expect(readdirSync(root).filter((name) => name.startsWith('interrupted'))).toEqual([])
  })
})

async function readHeader() {
  let header: BackupHeader | undefined
  await readArchive(at('good.tar.gz'), {}, { onHeader: (value) => void (header = value) })
  return header!
}

const writeHeaderOnly = (name: string, header: object) =>
  writeArchive(at(name), {}, async (add) => {
    await add(headerName, Buffer.from(JSON.stringify(header)))
    return {}
  })
