import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/root'
import { packages } from '../../scripts/build/packages'

const runCommand = promisify(execFile)
const git = async (...args: string[]) =>
  (await runCommand('git', args, { cwd: root })).stdout.trim()
export type CommitBuilds = { commit: string; dists: Record<string, string> }

/**
 * Returns commits in order, the newest last: `5` means the last five that changed a build; otherwise the given names.
 */
export async function listCommits(selection: string) {
  if (!/^\d{1,2}$/.test(selection))
    return Promise.all(selection.split(/\s+/).map((item) => git('rev-parse', '--short', item)))
  const sourceFolders = ['shared', ...packages.map(({ folder }) => folder)].map(
    (folder) => `${folder}/src`,
  )
  const text = await git('log', `-${Number(selection) + 1}`, '--format=%h', '--', ...sourceFolders)
  return text.split('\n').slice(1).reverse()
}

/** Builds the four packages of a commit with its own scripts and lock file; the result is cached in `.cache/former`. */
export async function buildCommit(commit: string): Promise<CommitBuilds> {
  const cacheFolder = join(root, '.cache/former', commit)
  if (!existsSync(cacheFolder)) {
    const worktree = await mkdtemp(join(tmpdir(), 'former-'))
    const env = { ...process.env, CI: 'true' }
    await git('worktree', 'add', '--force', '--detach', worktree, commit)
    try {
      await runCommand('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], {
        cwd: worktree,
        env,
      })
      await runCommand('pnpm', ['build'], { cwd: worktree, env })
      const partialFolder = `${cacheFolder}.part`
      await rm(partialFolder, { recursive: true, force: true })
      for (const { folder } of packages)
        await cp(join(worktree, folder, 'dist'), join(partialFolder, folder), { recursive: true })
      await rename(partialFolder, cacheFolder)
    } finally {
      await git('worktree', 'remove', '--force', worktree)
    }
  }
  const dists = packages.map(async ({ name, folder }) => {
    const [build] = await readdir(join(cacheFolder, folder))
    return [name, join(cacheFolder, folder, build!)] as const
  })
  return { commit, dists: Object.fromEntries(await Promise.all(dists)) }
}
