import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BuildInfo } from '@iot/shared/contract/platform/about.schema'
import { z } from 'zod'
import { isPackaged, programFolder } from './programFolder'

const packageJson = join(programFolder, isPackaged ? 'package.json' : '../package.json')

/** All packages of the product carry the same version. */
export const { version: productVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageJson, 'utf8')))

/** A build writes commit, time and licences into this file. */
export const buildInfoFile = join(programFolder, isPackaged ? 'about.json' : '../dist/about.json')

/** Reads what the build wrote about itself; null if the program runs from sources that were never built. */
export function readBuildInfo(file = buildInfoFile): BuildInfo | null {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return BuildInfo.parse(JSON.parse(text))
}

/** Formats one line for `--version`. */
export function describeVersion() {
  const build = readBuildInfo()
  return build
    ? `${productVersion}（${build.commit ?? '提交未知'}，${build.buildTime}）`
    : `${productVersion}（从源码运行，没有构建）`
}
