import { existsSync } from 'node:fs'
import { cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ReleaseRefusal } from '../../server/src/site/releaseRefusal.ts'
import { root } from '../../scripts/root.ts'
import { builtinRemotes } from '../../shared/src/contract/release/remoteTitle.ts'
import { RemoteName } from '../../shared/src/contract/release/release.schema.ts'

type PackageManifest = {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as PackageManifest

/**
 * Writes a remote with one screen into a folder in which the kit is installed.
 * @throws Refused if the name or title is invalid or `src` exists
 */
export async function createRemote(folder: string, nameInput: string, title: string) {
  const { success, data: name, error } = RemoteName.safeParse(nameInput)
  if (!success) throw new ReleaseRefusal(error.issues[0]!.message)
  if ((builtinRemotes as readonly string[]).includes(name))
    throw new ReleaseRefusal(`${name} 是控制台自带的`)
  if (!/^[^'"`<>{}\\\s]{1,32}$/.test(title))
    throw new ReleaseRefusal('标题由 1–32 个字组成，不含空格、引号和括号')
  if (existsSync(join(folder, 'src'))) throw new ReleaseRefusal('这里已有 src，没有改动任何文件')

  const template = join(root, 'remote-kit/template')
  await cp(template, folder, { recursive: true })
  for (const file of await readdir(template, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const path = join(folder, join(file.parentPath, file.name).slice(template.length))
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text.replaceAll('sample', name).replaceAll('示例', () => title),
    )
  }
  // npm leaves a file named .gitignore out of packages, so it is written here.
  await writeFile(
    join(folder, '.gitignore'),
    ['node_modules', 'dist', '.cache', '.mf', ''].join('\n'),
  )
  await completeManifest(folder)
  return name
}

/**
 * The host provides these packages at run time; they are installed for their types and to know the versions a build
 * was made with.
 */
async function completeManifest(folder: string) {
  const file = join(folder, 'package.json')
  const ownManifest = existsSync(file) ? await readJson(file) : {}
  const { dependencies, peerDependencies } = await readJson(join(root, '../package.json'))
  const { typescript, '@types/react': react } = dependencies!
  const manifest = {
    name: basename(folder).toLowerCase(),
    version: '0.1.0',
    private: true,
    ...ownManifest,
    type: 'module',
    scripts: {
      dev: 'iot-remote dev',
      build: 'tsc -p . && iot-remote build',
      release: 'tsc -p . && iot-remote publish',
      types: 'tsc -p .',
      ...ownManifest.scripts,
    },
    devDependencies: {
      ...ownManifest.devDependencies,
      ...peerDependencies,
      '@types/react': react,
      typescript,
    },
  }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
