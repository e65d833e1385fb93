import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { connectEdge, type Answering } from '../server/src/device-access/edgeClient'
import { address, expect, test, visit } from './fixtures'
import { draft, field, inDialog, save, sender, unique } from './lists'

const list = paths.deviceAccess.edgeHost()
type Made = { id: string; version: number; productKey: string }
const service = {
  identifier: 'Restart',
  name: '重启',
  callType: 'async',
  inputData: [],
  outputData: [],
}

/** Creates a host of a product of its own, and a child device that belongs to it. */
async function prepared(api: APIRequestContext) {
  const send = sender(api)
  const { id: manufacturerId } = await send<Made>('post', '/v1/manufacturer', draft())
  const product = await send<Made>('post', '/v1/product', {
    name: unique('网关'),
    modelNo: unique('M'),
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
  const name = unique('机房主机')
  const made = await send<Made & { deviceName: string; deviceSecret: string }>(
    'post',
    '/v1/edge-host',
    {
      projectId: 1,
      productId: product.id,
      name,
      deviceName: unique('host-'),
      spaceId: null,
      heartbeatInterval: 60,
    },
  )
  const { mqttPort } = await send<{ mqttPort: number }>('get', `/v1/product/${product.id}/access`)
  const connect = async () => {
    const asked: { action: string; reply: Answering['reply'] }[] = []
    const edge = await connectEdge({
      url: `mqtt://${new URL(address).hostname}:${mqttPort}`,
      gateway: made,
      children: [],
      onSet: () => {},
      onAsk: (action, _, reply) => void asked.push({ action, reply }),
    })
    const answer = async (code: number, message = '') => {
      await expect.poll(() => asked.length).toBeGreaterThan(0)
      asked.shift()!.reply(code, message)
    }
    return { ...edge, answer }
  }
  return { ...made, name, connect }
}

test('a configuration is wished for, pushed, and drifts until the host has applied it; a restart brings its answer', async ({
  operator: page,
  api,
}) => {
  const host = await prepared(api)
  const edge = await host.connect()
  await visit(page, `${list}/${host.id}?tab=config`)
  await expect(page.getByText('在线', { exact: true })).toBeVisible()
  await expect(page.getByText(/还没有配置，点/)).toBeVisible()
  await page.getByRole('button', { name: '编辑配置' }).click()
  await field(page, '配置内容').fill('{"interval": 30,}')
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(inDialog(page).getByText('配置内容不是正确的 JSON：第 1 行')).toBeVisible()
  await field(page, '配置内容').fill('{"interval": 30}')
  await save(page)
  await expect(page.getByText('应为版本 1，主机没有报告已应用的版本')).toBeVisible()
  await page.getByRole('button', { name: /推\s?送/ }).click()
  await edge.answer(200)
  await expect(page.getByText('主机已收到', { exact: true })).toBeVisible()
  await expect(page.getByText('应为版本 1，主机没有报告已应用的版本')).toBeVisible()
  edge.tell('inform', { module: 'config', version: '1' })
  await expect(page.getByText('应为版本 1')).toHaveCount(0)

  await page.getByRole('button', { name: /^重\s?启$/ }).click()
  await inDialog(page)
    .getByRole('button', { name: /重\s?启/ })
    .click()
  await edge.answer(460, '正在升级')
  await expect(page.getByText('主机没有重启：返回 460 正在升级')).toBeVisible()
  await edge.close()
})

test('a broken host is replaced: the new one has its name and configuration, the old one is 禁用', async ({
  operator: page,
  api,
}) => {
  const host = await prepared(api)
  await visit(page, `${list}/${host.id}`)
  const before = page.url()
  await page.getByRole('button', { name: `${host.name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '替换' }).click()
  await expect(inDialog(page).getByText(/0 台子设备、位置和配置归新主机/)).toBeVisible()
  await field(page, '序列号').fill(host.deviceName)
  await inDialog(page)
    .getByRole('button', { name: /替\s?换/ })
    .click()
  await expect(inDialog(page).getByText('新主机须有另一个序列号')).toBeVisible()
  await field(page, '序列号').fill(unique('host-'))
  await inDialog(page)
    .getByRole('button', { name: /替\s?换/ })
    .click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()
  await expect(page).not.toHaveURL(before)
  await expect(page.getByText('未激活')).toBeVisible()
  await visit(page, `${list}/${host.id}`)
  await expect(page.getByText(/已由“.*”替换/)).toBeVisible()
})
