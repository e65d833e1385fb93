import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/root'
import { packages } from '../../scripts/build/packages'

const run = promisify(execFile)
const git = async (...words: string[]) => (await run('git', words, { cwd: root })).stdout.trim()
export type Age = { commit: string; dists: Record<string, string> }

/**
 * Returns commits in order, the newest last: `5` means the last five that changed a build; otherwise the given names.
 */
export async function commitsOf(wanted: string) {
  if (!/^\d{1,2}$/.test(wanted))
    return Promise.all(wanted.split(/\s+/).map((one) => git('rev-parse', '--short', one)))
  const built = ['shared', ...packages.map(({ folder }) => folder)].map((folder) => `${folder}/src`)
  const text = await git('log', `-${Number(wanted) + 1}`, '--format=%h', '--', ...built)
  return text.split('\n').slice(1).reverse()
}

/** Builds the four packages of a commit with its own scripts and lock file; the result is cached in `.cache/former`. */
export async function buildsOf(commit: string): Promise<Age> {
  const kept = join(root, '.cache/former', commit)
  if (!existsSync(kept)) {
    const tree = await mkdtemp(join(tmpdir(), 'former-'))
    const env = { ...process.env, CI: 'true' }
    await git('worktree', 'add', '--force', '--detach', tree, commit)
    try {
      await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: tree, env })
      await run('pnpm', ['build'], { cwd: tree, env })
      const unfinished = `${kept}.part`
      await rm(unfinished, { recursive: true, force: true })
      for (const { folder } of packages)
        await cp(join(tree, folder, 'dist'), join(unfinished, folder), { recursive: true })
      await rename(unfinished, kept)
    } finally {
      await git('worktree', 'remove', '--force', tree)
    }
  }
  const dists = packages.map(async ({ name, folder }) => {
    const [build] = await readdir(join(kept, folder))
    return [name, join(kept, folder, build!)] as const
  })
  return { commit, dists: Object.fromEntries(await Promise.all(dists)) }
}
