import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from './folderLock'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'iot-lock-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const writeOwner = (owner: { host?: string; pid: number; file?: string }) =>
  writeFileSync(
    join(folder, 'lock'),
    JSON.stringify({ host: hostname(), started: '', since: '2026-01-01', ...owner }),
  )

const hasFlock = spawnSync('flock', ['--help']).error === undefined

// Systems without the `flock` command have no second process that could hold the lock.
;(hasFlock ? describe : describe.skip)('a folder of data', () => {
  it('refuses a folder locked by another process, even if its PID equals ours in another container', async () => {
    const holder = spawn('flock', [join(folder, 'lock'), 'sh', '-c', 'echo locked; read _'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    writeOwner({ host: 'other-container', pid: process.pid })
    await expect(lockFolder(folder)).rejects.toThrow(
      `数据目录正被另一个进程使用（主机 other-container，进程 ${process.pid}，自 2026-01-01）：${folder}；先结束它，锁随之解除，不必删除文件`,
    )
    holder.stdin.end()
    await once(holder, 'exit')
    ;(await lockFolder(folder)).release()
  })
  it('is free immediately after its holder is gone, even if its PID was reused', async () => {
    writeOwner({ pid: process.ppid })
    const lock = await lockFolder(folder)
    lock.release()
    ;(await lockFolder(folder)).release()
  })
  it('refuses a second lock in the same process', async () => {
    const lock = await lockFolder(folder)
    writeOwner({ host: 'other-container', pid: 1 })
    await expect(lockFolder(folder)).rejects.toThrow('数据目录正被另一个进程使用')
    lock.release()
  })
})

describe('without a flock command', () => {
  /** Locks the folder in a process that finds no programs on its PATH and returns what it prints. */
  async function lockWithoutFlock(owner: { host?: string; pid: number; file?: string }) {
    writeOwner(owner)
    const script = `import { lockFolder } from ${JSON.stringify(join(__dirname, 'folderLock.ts'))}
      lockFolder(${JSON.stringify(folder)}).then(() => console.log('locked'), (error) => console.log(error.message))`
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      {
        env: { PATH: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    await once(child, 'close')
    return output.trim()
  }

  it('refuses a folder whose owner is alive and names the file to remove', async () =>
    expect(await lockWithoutFlock({ pid: process.pid })).toContain(
      `删除 ${join(folder, 'lock')} 再启动`,
    ))
  it('refuses a folder whose owner runs on another host', async () =>
    expect(await lockWithoutFlock({ host: 'other-container', pid: 999_999_999 })).toContain(
      `删除 ${join(folder, 'lock')} 再启动`,
    ))
  it('ignores a living owner recorded in the folder that this one was copied from', async () =>
    expect(await lockWithoutFlock({ pid: process.pid, file: '1:1' })).toBe('locked'))
  it('takes over the lock of a dead owner', async () =>
    expect(await lockWithoutFlock({ pid: 999_999_999 })).toBe('locked'))
})
