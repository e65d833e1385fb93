import type { Db } from '../../core/db/db'
import { project } from '../../tables/project'
import { findExampleSite } from '../exampleData/policy'

const southernFields = { groupName: '华南片区', engineeringId: 1, status: 'running' } as const
const rows: (typeof project.$inferInsert)[] = [
  {
    ...southernFields,
    projectId: 1,
    name: '科创园',
    code: 'tech-park',
    type: 'park',
    sort: 1,
    areaCode: '440305',
    address: '科技园南区 18 号',
    longitude: 113.944,
    latitude: 22.537,
    area: 68_000,
    manager: '王工',
    phone: '0755-86001234',
  },
  {
    ...southernFields,
    projectId: 2,
    name: '滨海酒店',
    code: 'seaside-hotel',
    type: 'hotel',
    sort: 2,
    areaCode: '440308',
    address: '滨海大道 6 号',
    longitude: 114.306,
    latitude: 22.593,
    area: 32_500,
    manager: '陈工',
    phone: '0755-25001234',
  },
  {
    groupName: '华东片区',
    engineeringId: 1,
    status: 'commissioning',
    projectId: 3,
    name: '钱塘研发中心',
    code: 'qiantang',
    type: 'office',
    sort: 3,
    areaCode: '330114',
    address: '下沙街道 2 号',
    longitude: 120.349,
    latitude: 30.309,
    area: 45_000,
    manager: '李工',
    phone: '0571-86001234',
  },
]

/** Creates three example projects on an empty platform whose example site was not cleared. */
export async function seedProjects(db: Db) {
  const [existingProject] = await db.select({ id: project.projectId }).from(project).limit(1)
  if (existingProject || (await findExampleSite(db))) return
  await db.insert(project).values(rows)
}
