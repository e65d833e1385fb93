import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { floorPlan, space } from '../../tables/space'

export const spaceQueries = (db: Db) => ({
  ofProject: (projectId: number) =>
    db
      .select()
      .from(space)
      .where(eq(space.projectId, projectId))
      .orderBy(asc(space.sort), asc(space.id)),
  plan: async (hash: string) =>
    (await db.select({ svg: floorPlan.svg }).from(floorPlan).where(eq(floorPlan.hash, hash)))[0]
      ?.svg,
})
