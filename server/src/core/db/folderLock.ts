import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Two processes on one folder destroy its data silently, so the first writes its pid into it.
 * A lock whose process is gone (kill -9) is taken over. Answers how to let go.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock.pid')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = Number(readFileSync(file, 'utf8'))
    // After a restart of the machine the number may be our own again.
    if (owner > 0 && owner !== process.pid && isAlive(owner)) {
      throw new Error(`数据目录正被另一个进程使用（进程号 ${owner}）：${folder}`)
    }
    rmSync(file, { force: true })
  }
}
