import * as z from '../zod'

export const MapEngineeringTree = z.object({
  children: z.array(
    z.object({
      name: z.string(),
      children: z.array(
        z.object({
          projectId: z.number().int(),
          /** Row id, used in the address of the project page. */
          id: z.string(),
          name: z.string(),
          timeZone: z.string(),
        }),
      ),
    }),
  ),
})
export type MapEngineeringTree = z.infer<typeof MapEngineeringTree>

export const SpaceType = z.enum(['building', 'floor', 'area', 'room'])
/** A node of 楼栋 → 楼层 → 区域 → 房间. `plan` is the URL of the floor plan picture, which floors alone have. */
export const Space = z.object({
  id: z.string(),
  projectId: z.number().int(),
  parentId: z.string().nullable(),
  type: SpaceType,
  name: z.string(),
  sort: z.number().int(),
  plan: z.string().nullable(),
  planWidth: z.number().nullable(),
  planHeight: z.number().nullable(),
})
export interface Space extends z.infer<typeof Space> {}

const ByProject = z.object({ projectId: z.coerce.number().int() })

export const projectSchemas = {
  mapEngineeringTree: {
    input: z.object({ engineeringId: z.coerce.number().int(), version: z.string().max(64) }),
    output: MapEngineeringTree,
  },
  spaces: { input: ByProject, output: z.array(Space) },
}
