import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'
import { root } from './root.ts'
import { readVersions, sharedModuleKeys } from './webpack/shared.ts'

/**
 * The host promises this interface to remotes: major versions of libraries, and declarations by file below
 * `shared/src`.
 */
export type ShellInterface = { libraries: string[]; files: Map<string, string> }

const shared = join(root, 'shared')
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const sharedParts = sharedModuleKeys
  .map((key) => /^@iot\/shared\/(\w+)\/$/.exec(key)?.[1])
  .filter((part) => part !== undefined)
const isInSharedPart = (file: string) => sharedParts.some((part) => file.startsWith(`${part}/`))
/** The host shares the modules directly in these folders; deeper files are only used by them. */
const isSharedDirectly = (file: string) => /^\w+\/\w+\.d\.ts$/.test(file)

function readCompilerOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.base.json')
  const { config } = ts.readConfigFile(path, ts.sys.readFile) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  return { ...options, noUnusedLocals: false, types: [] }
}

/** Returns the interface of the current sources, as the native compiler declares it: the one of the API is four times slower. */
export function readCurrentInterface(): ShellInterface {
  const folder = mkdtempSync(join(tmpdir(), 'iot-shell-api-'))
  try {
    const config = join(shared, 'tsconfig.shell.json')
    execFileSync(process.execPath, [compiler, '-p', config, '--outDir', folder, '--checkers', '1'])
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll(sep, '/'))
      .filter((name) => isInSharedPart(name) && name.endsWith('.d.ts'))
      .sort()
    const libraries = Object.entries(readVersions('host')).map(
      ([library, version]) => `${library} ${version.split('.')[0]}`,
    )
    const readDeclarations = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
    return { libraries, files: new Map(names.map((name) => [name, readDeclarations(name)])) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Lists, in one sentence each, why a remote built for `previous` would not run on `current`: every shared value must be
 * assignable to its former type. Contract types are the current ones on both sides, because a remote carries its own.
 */
export function listBreakingChanges(previous: ShellInterface, current: ShellInterface): string[] {
  const texts = new Map<string, string>()
  const addFiles = (side: string, files: Map<string, string>) => {
    for (const [file, text] of files)
      texts.set(
        join(shared, side, file),
        text.replaceAll(/(["'])((?:\.\.\/)+)(contract|screens)\//g, '$1$2../src/$3/'),
      )
  }
  addFiles('before', previous.files)
  addFiles('now', current.files)
  const checkFiles = [...previous.files.keys()].filter(isSharedDirectly).map((file) => {
    const module = file.replace('.d.ts', '')
    const path = join(shared, `${module.replace('/', '.')}.check.ts`)
    texts.set(
      path,
      `import type * as before from './before/${module}'
import type * as now from './now/${module}'
export const fits = (host: typeof now): typeof before => host
`,
    )
    return path
  })
  const settings = { ...readCompilerOptions(), noEmit: true }
  const host = ts.createCompilerHost(settings)
  const { fileExists, readFile, directoryExists } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.directoryExists = (path) =>
    [...texts.keys()].some((file) => file.startsWith(`${path}/`)) || !!directoryExists?.(path)
  const styles = join(shared, 'src/css.d.ts')
  const program = ts.createProgram([styles, ...checkFiles], settings, host)
  const missingLibraries = previous.libraries.filter(
    (library) => !current.libraries.includes(library),
  )
  return [
    ...missingLibraries.map((library) => `${library} is not what the host brings any more`),
    ...checkFiles.flatMap((path) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(
          ({ messageText }) =>
            `@iot/shared/${relative(shared, path).replace('.check.ts', '').replace('.', '/')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
        ),
    ),
  ]
}

export const reportFile = join(root, 'docs/shell-api.md')

const titlePattern = /^# Interface of the shell, (\S+)$/m
const blockPattern = /^## (\S+)\n\n```ts\n([\s\S]*?)\n```$/gm

export function renderReport(version: string, { libraries, files }: ShellInterface) {
  const blocks = [...files].map(([file, text]) => `## ${file}\n\n\`\`\`ts\n${text}\n\`\`\`\n`)
  return `# Interface of the shell, ${version}

What the host brings for remotes, as their builds see it; made from the sources by \`WRITE_SHELL=1 pnpm unit shellApi\`. A
change after which an older remote would not run is written only with another major version of \`SHELL_API\`: then the
console refuses such a remote in words, instead of failing in it.

${libraries.map((library) => `- ${library}`).join('\n')}

${blocks.join('\n')}`
}

export function readReport(): { version: string } & ShellInterface {
  const text = readFileSync(reportFile, 'utf8')
  return {
    version: titlePattern.exec(text)![1]!,
    libraries: [...text.matchAll(/^- (.+ \d+)$/gm)].map(([, library]) => library!),
    files: new Map([...text.matchAll(blockPattern)].map(([, file, code]) => [file!, code!])),
  }
}
