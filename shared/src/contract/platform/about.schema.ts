import * as z from '../zod'

/** A package of someone else that is part of the product. */
export const ShippedPackage = z.object({
  name: z.string(),
  version: z.string(),
  /** SPDX expression of the package; empty if it names none. */
  licence: z.string(),
})

export type ShippedPackage = z.infer<typeof ShippedPackage>

/** Describes a build; null if the program runs from sources that were never built. */
export const BuildInfo = z.object({
  /** Commit of the sources, with `-dirty` if files differed from it; null outside a Git repository. */
  commit: z.string().nullable(),
  buildTime: z.iso.datetime(),
  packages: z.array(ShippedPackage),
})
export type BuildInfo = z.infer<typeof BuildInfo>

export const About = z.object({ version: z.string(), build: BuildInfo.nullable() })

export const aboutSchemas = {
  read: { input: z.object({}), output: About },
}
