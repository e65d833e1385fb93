import type { Endpoint } from '@iot/shared/contract/endpoint'
import { Id } from '@iot/shared/contract/fields.schema'
import { toModelTable } from '@iot/shared/contract/thingModel/modelSheet'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { toTsl } from '@iot/shared/contract/thingModel/tsl'
import type { FastifyInstance } from 'fastify'
import { createMissingRefusal } from '../../../core/refusal'
import { toTypedCell, createWorkbook } from '../../../core/tasks/sheetFile'
import { authorizeCall } from '../../../core/http/serve'

type ModelCarrier = { name: string; productKey: string; model: ThingModel }

const buildFileHeaders = (name: string) => ({
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

const numericTitles = new Set(['最小值', '最大值', '步长', '小数位', '长度', '元素个数'])
function createModelWorkbook(model: ThingModel) {
  const table = toModelTable(model)
  const columnKinds = table[0]!.map((title) => (numericTitles.has(title) ? 'number' : 'text'))
  return createWorkbook(
    table.map((row) => row.map((text, i) => toTypedCell(text, columnKinds[i]!))),
  )
}

/**
 * Serves the functions of a record as files: `/model.json` in Alibaba's TSL, `/model.xlsx` as a table. `serve` is not
 * used, because the answer is a file.
 */
export function serveModelFiles(
  app: FastifyInstance,
  endpoint: Endpoint,
  findCarrier: (id: string) => Promise<ModelCarrier>,
) {
  const serializeByFormat = {
    json: ({ productKey, model }: ModelCarrier) =>
      JSON.stringify(toTsl(model, { productKey }), null, 2),
    xlsx: ({ model }: ModelCarrier) => createModelWorkbook(model),
  }
  for (const format of ['json', 'xlsx'] as const)
    app.get<{ Params: { id: string } }>(
      `${endpoint.path.replace('{id}', ':id')}/model.${format}`,
      async (request, reply) => {
        await authorizeCall(app, request, endpoint)
        const { success, data: id } = Id.safeParse(request.params.id)
        if (!success) throw createMissingRefusal('记录')
        const carrier = await findCarrier(id)
        return reply
          .headers(buildFileHeaders(`${carrier.name}.${format}`))
          .send(await serializeByFormat[format](carrier))
      },
    )
}

const speedType = { type: 'int', specs: { min: 0, max: 10, step: 1, unit: 's' } }
const createChannel = (identifier: string, name: string) => ({
  identifier,
  name,
  dataType: { type: 'int', specs: { min: 0, max: 255, step: 1 } },
})
/** The import template contains one example function of each kind. */
const exampleModel = ThingModel.parse({
  properties: [
    {
      identifier: 'PowerSwitch',
      name: '电源开关',
      required: true,
      accessMode: 'rw',
      dataType: { type: 'bool', specs: { 0: '关闭', 1: '开启' } },
    },
    {
      identifier: 'Brightness',
      name: '亮度',
      accessMode: 'rw',
      dataType: { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } },
    },
    {
      identifier: 'RGBColor',
      name: '颜色',
      accessMode: 'rw',
      dataType: {
        type: 'struct',
        specs: [
          createChannel('Red', '红'),
          createChannel('Green', '绿'),
          createChannel('Blue', '蓝'),
        ],
      },
    },
  ],
  services: [
    {
      identifier: 'Fade',
      name: '渐变',
      inputData: [{ identifier: 'Seconds', name: '时长', dataType: speedType }],
    },
  ],
  events: [{ identifier: 'Fault', name: '故障', type: 'error' }],
})

/** Serves the import template for a table of functions. */
export function serveModelTemplate(app: FastifyInstance, endpoint: Endpoint) {
  app.get('/v1/thing-model/template.xlsx', async (request, reply) => {
    await authorizeCall(app, request, endpoint)
    return reply
      .headers(buildFileHeaders('物模型导入模板.xlsx'))
      .send(await createModelWorkbook(exampleModel))
  })
}
