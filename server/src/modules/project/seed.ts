import type { Db } from '../../core/db/db'
import { project } from '../../tables/project'

const rows = [
  { id: 1, groupName: '华南片区', name: '科创园', engineeringId: 1, sort: 1 },
  { id: 2, groupName: '华南片区', name: '滨海酒店', engineeringId: 1, sort: 2 },
  { id: 3, groupName: '华东片区', name: '钱塘研发中心', engineeringId: 1, sort: 3 },
]

/** Three projects to look at, on an empty platform that was not asked to stay empty. */
export async function seedProjects(db: Db) {
  const [any] = await db.select({ id: project.id }).from(project).limit(1)
  if (!any) await db.insert(project).values(rows)
}
