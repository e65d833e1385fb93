import type { Endpoint, Input } from '@iot/shared/contract/endpoint'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { readTable } from '@iot/shared/ui/readTable'
import { sharedApp, type TestApp } from '../../testing'
import { createWorkbook } from './sheetFile'

let app: TestApp
const admin = () => app.as('admin')

/** Realistic names and texts that spreadsheets tend to change. */
const awkwardTexts = [
  '一、二，三,四；五',
  'UPS / 配电间',
  '0101',
  '=1+1',
  '＝A1',
  '+86 138',
  '-5',
  '＠甲',
  "'=已有撇号",
  '12345678901234567890',
  '1-2',
  '8:30',
  '灯💡“引号” "直引号"',
  '有 空 格|竖线',
  '灯_x0041_',
  '1E5',
  'TRUE',
  '30%',
  '2026-01-31',
  '¥5',
  "''双撇",
  '#1 柜',
  '(5)',
]
const runMark = `rt${Date.now() % 100_000}`
const withMark = (name: string) => `${name} ${runMark}`
const createCode = (index: number) => `${runMark}-${index}`

/** Exports a list and reads the file the way the browser does. */
async function exportTable(endpoint: Endpoint, input: object, format: 'xlsx' | 'csv') {
  const { id } = (await admin().call(endpoint, { ...input, format })) as { id: string }
  const { rawPayload } = await app.app.inject({
    url: taskFilePath(id),
    headers: await admin().headers(),
  })
  const file = { name: `a.${format}`, arrayBuffer: async () => new Uint8Array(rawPayload) }
  return (await readTable(file as unknown as File)).table
}

type RoundTripResource = {
  title: string
  exportRows: Endpoint
  importRows: Endpoint
  filter?: () => object
  within?: () => object
  make: () => Promise<unknown>
}
const createAll = async <E extends Endpoint>(endpoint: E, drafts: Input<E>[]) => {
  for (const draft of drafts) await admin().call(endpoint, draft)
}
const projectId = 1
const status = 'enabled' as const

const resources: RoundTripResource[] = [
  {
    title: '厂商',
    ...manufacturerApi,
    filter: () => ({ name: runMark }),
    make: () =>
      createAll(
        manufacturerApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          shortName: name.slice(0, 16),
          code: createCode(i),
          creditCode: '',
          areaCode: '440305',
          address: name,
          contact: name.slice(0, 16),
          phone: '',
          email: '' as const,
          website: '' as const,
          logo: '',
          remark: `${name}\n第二行`,
          status,
        })),
      ),
  },
  {
    title: '品牌',
    ...brandApi,
    filter: () => ({ name: runMark }),
    async make() {
      const { list } = await admin().call(manufacturerApi.page, { code: createCode(0) })
      await createAll(
        brandApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          englishName: name.replace(/[^ -~]/g, ''),
          logo: '',
          manufacturerId: list[0]!.id,
          categories: [],
          servicePhone: '',
          website: '' as const,
          sort: i + 1,
          status,
        })),
      )
    },
  },
  {
    title: '控制类型',
    ...controlTypeApi,
    filter: () => ({ name: runMark }),
    make: () =>
      createAll(
        controlTypeApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          code: createCode(i),
          capability: 'TW' as const,
          functions: ['PowerSwitch', 'Brightness', 'ColorTemperature'],
          widget: 'slider' as const,
          description: name,
          status,
        })),
      ),
  },
  {
    title: '通信协议',
    ...communicationProtocolApi,
    filter: () => ({ name: runMark }),
    make: () =>
      createAll(
        communicationProtocolApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          code: createCode(i),
          transport: 'serial' as const,
          nodes: ['sub' as const],
          protocolVersion: '01.10',
          document: '' as const,
          description: name,
          status,
          parameters: [
            {
              key: `key${i}`,
              label: name,
              type: 'text' as const,
              required: true,
              secret: false,
              default: name,
            },
          ],
        })),
      ),
  },
  {
    title: '产品类型',
    ...productTypeApi,
    filter: () => ({ name: runMark }),
    make: () =>
      createAll(
        productTypeApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          code: createCode(i).toUpperCase().replace('-', '_'),
          categories: [],
          icon: 'BulbOutlined',
          color: '#faad14',
          actions: [],
          showOnHome: false,
          sort: i + 1,
          status,
          description: name,
        })),
      ),
  },
  {
    title: '品类',
    ...productCategoryApi,
    filter: () => ({ name: runMark }),
    make: () =>
      createAll(
        productCategoryApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          code: createCode(i).replace('-', ''),
          parentId: null,
          icon: '',
          sort: i + 1,
          description: name,
        })),
      ),
  },
  {
    title: '空间',
    ...spaceApi,
    filter: () => ({ projectId }),
    within: () => ({ projectId }),
    async make() {
      for (const name of awkwardTexts) {
        const building = {
          projectId,
          parentId: null,
          type: 'building' as const,
          name: withMark(name),
        }
        const { id: parentId } = await admin().call(spaceApi.create, building)
        await admin().call(spaceApi.create, { projectId, parentId, type: 'floor', name })
      }
    },
  },
  {
    title: '设备组',
    ...deviceGroupApi,
    filter: () => ({ projectId, name: runMark }),
    within: () => ({ projectId }),
    async make() {
      const spaces = await admin().call(spaceApi.list, { projectId })
      const ids = spaces.filter(({ type }) => type === 'floor').map(({ id }) => id)
      await createAll(
        deviceGroupApi.create,
        awkwardTexts.map((name, i) => ({
          projectId,
          name: withMark(name),
          kind: 'rule' as const,
          deviceIds: [],
          productIds: [],
          spaceIds: ids.slice(i, i + 3),
          description: name,
          tags: [{ key: '标签', value: name }],
        })),
      )
    },
  },
  {
    title: '视图',
    ...viewApi,
    filter: () => ({ name: runMark }),
    async make() {
      const roleIds: string[] = []
      for (const [i, name] of awkwardTexts.entries()) {
        const role = await admin().call(roleApi.create, {
          name: withMark(name),
          code: `${runMark}role${i}`,
          dataScope: 'assigned',
          description: '',
          menuIds: [],
          deviceRights: [],
        })
        roleIds.push(role.id)
      }
      await createAll(
        viewApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          path: createCode(i),
          parentId: null,
          icon: '',
          roleIds: roleIds.slice(i, i + 3),
          projectIds: [],
          visible: true,
          isDefault: false,
          sort: i + 1,
          status,
        })),
      )
    },
  },
  {
    title: '产品',
    ...productApi,
    filter: () => ({ name: runMark }),
    async make() {
      const { list } = await admin().call(manufacturerApi.page, { code: createCode(0) })
      await createAll(
        productApi.create,
        awkwardTexts.map((name, i) => ({
          name: withMark(name),
          modelNo: createCode(i),
          manufacturerId: list[0]!.id,
          brandId: null,
          categoryId: null,
          productType: 'SAFEWAY_LIGHT',
          node: 'direct' as const,
          net: 'wifi' as const,
          protocol: '',
          controlTypes: [],
          icon: '',
          picture: '',
          authType: 'deviceSecret' as const,
          dataFormat: 'alink' as const,
          description: name,
          ratedPower: 4.5,
          ratedLifeHours: 30000,
        })),
      )
    },
  },
]

beforeAll(async () => {
  app = await sharedApp()
})

describe.each(resources)('$title', (resource) => {
  const { exportRows, importRows, filter, within: extraInput } = resource
  it('is re-imported from its own export without changes, as .xlsx and as .csv', async () => {
    await resource.make()
    for (const format of ['xlsx', 'csv'] as const) {
      const file = await exportTable(exportRows, filter?.() ?? {}, format)
      const table = file.filter((cells) => cells.some((cell) => cell !== ''))
      expect(table.length).toBeGreaterThan(awkwardTexts.length)
      const preview = await admin().previewImport(importRows, table, {
        ...extraInput?.(),
        existing: 'update',
      } as never)
      expect(preview).toMatchObject({ status: 'pending', reason: '' })
      expect(preview.failures).toEqual([])
      expect(preview.preview?.rows.filter(({ action }) => action !== 'same')).toEqual([])
      expect(preview.counts).toEqual({ create: 0, update: 0, same: table.length - 1, refuse: 0 })
    }
  })
})

it('keeps texts in a workbook that look like escapes, and refuses texts that it would cut', async () => {
  const table = [['名称'], ['_x0041_'], ['响\u0007铃']]
  const workbook = await createWorkbook(table)
  const file = { name: 'a.xlsx', arrayBuffer: async () => new Uint8Array(workbook) }
  expect((await readTable(file as unknown as File)).table).toEqual(table)
  await expect(createWorkbook([['名称'], ['长'.repeat(32_768)]])).rejects.toThrow('请导出 .csv')
})
