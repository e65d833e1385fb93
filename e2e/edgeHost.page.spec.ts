import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { connectEdge, type CommandResponder } from '../server/src/device-access/protocol/edgeClient'
import { address, expect, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  getField,
  getDialog,
  saveDialog,
  createSender,
  createUniqueName,
} from './listHelpers'

const listPath = paths.deviceAccess.edgeHost()
type CreatedRow = { id: string; version: number; productKey: string }
const service = {
  identifier: 'Restart',
  name: '重启',
  callType: 'async',
  inputData: [],
  outputData: [],
}

/** Creates a host of a product of its own, and a child device that belongs to it. */
async function prepareHost(api: APIRequestContext) {
  const send = createSender(api)
  const { id: manufacturerId } = await send<CreatedRow>(
    'post',
    '/v1/manufacturer',
    createManufacturerDraft(),
  )
  const product = await send<CreatedRow>('post', '/v1/product', {
    name: createUniqueName('网关'),
    modelNo: createUniqueName('M'),
    manufacturerId,
    brandId: null,
    categoryId: null,
    productType: 'SAFEWAY_LIGHT',
    node: 'gateway',
    net: 'ethernet',
    protocol: 'mqtt',
    controlTypes: [],
    authType: 'deviceSecret',
    dataFormat: 'alink',
    ratedPower: null,
    ratedLifeHours: null,
    icon: '',
    picture: '',
    description: '',
  })
  await send('put', `/v1/product/${product.id}/model`, {
    version: product.version,
    model: { properties: [], services: [service], events: [] },
  })
  const name = createUniqueName('机房主机')
  const createdHost = await send<CreatedRow & { deviceName: string; deviceSecret: string }>(
    'post',
    '/v1/edge-host',
    {
      projectId: 1,
      productId: product.id,
      name,
      deviceName: createUniqueName('host-'),
      spaceId: null,
      heartbeatInterval: 60,
    },
  )
  const { mqttPort } = await send<{ mqttPort: number }>('get', `/v1/product/${product.id}/access`)
  const connect = async () => {
    const requests: { action: string; reply: CommandResponder['reply'] }[] = []
    const edge = await connectEdge({
      url: `mqtt://${new URL(address).hostname}:${mqttPort}`,
      gateway: createdHost,
      children: [],
      onSet: () => {},
      onAsk: (action, _, reply) => void requests.push({ action, reply }),
    })
    const answer = async (code: number, message = '') => {
      await expect.poll(() => requests.length).toBeGreaterThan(0)
      requests.shift()!.reply(code, message)
    }
    return { ...edge, answer }
  }
  return { ...createdHost, name, connect }
}

test('shows a pushed configuration as out of sync until the host has applied it, and the answer to a restart', async ({
  operator: page,
  api,
}) => {
  const host = await prepareHost(api)
  const edge = await host.connect()
  await visit(page, `${listPath}/${host.id}?tab=config`)
  await expect(page.getByText('在线', { exact: true })).toBeVisible()
  await expect(page.getByText(/还没有配置，点/)).toBeVisible()
  await page.getByRole('button', { name: '编辑配置' }).click()
  await getField(page, '配置内容').fill('{"interval": 30,}')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(getDialog(page).getByText('配置内容不是正确的 JSON：第 1 行')).toBeVisible()
  await getField(page, '配置内容').fill('{"interval": 30}')
  await saveDialog(page)
  await expect(page.getByText('应为版本 1，主机没有报告已应用的版本')).toBeVisible()
  await page.getByRole('button', { name: /推\s?送/ }).click()
  await edge.answer(200)
  await expect(page.getByText('主机已收到', { exact: true })).toBeVisible()
  await expect(page.getByText('应为版本 1，主机没有报告已应用的版本')).toBeVisible()
  edge.reportFirmware('inform', { module: 'config', version: '1' })
  await expect(page.getByText('应为版本 1')).toHaveCount(0)

  await page.getByRole('button', { name: /^重\s?启$/ }).click()
  await getDialog(page)
    .getByRole('button', { name: /重\s?启/ })
    .click()
  await edge.answer(460, '正在升级')
  await expect(page.getByText('主机没有重启：返回 460 正在升级')).toBeVisible()
  await edge.close()
})

test('replaces a broken host: the new one has its name and configuration, the old one is 禁用', async ({
  operator: page,
  api,
}) => {
  const host = await prepareHost(api)
  await visit(page, `${listPath}/${host.id}`)
  const oldHostUrl = page.url()
  await page.getByRole('button', { name: `${host.name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '替换' }).click()
  await expect(getDialog(page).getByText(/0 台子设备、位置和配置归新主机/)).toBeVisible()
  await getField(page, '序列号').fill(host.deviceName)
  await getDialog(page)
    .getByRole('button', { name: /替\s?换/ })
    .click()
  await expect(getDialog(page).getByText('新主机须有另一个序列号')).toBeVisible()
  await getField(page, '序列号').fill(createUniqueName('host-'))
  await getDialog(page)
    .getByRole('button', { name: /替\s?换/ })
    .click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()
  await expect(page).not.toHaveURL(oldHostUrl)
  await expect(page.getByText('未激活')).toBeVisible()
  await visit(page, `${listPath}/${host.id}`)
  await expect(page.getByText(/已由“.*”替换/)).toBeVisible()
})
