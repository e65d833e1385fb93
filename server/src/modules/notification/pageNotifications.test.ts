import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { createProcessMessages } from '../../device-access/broker/processMessages'
import { createPageNotifications } from './pageNotifications'

it('reaches the pages of every process and counts them together', async () => {
  const broker = await Aedes.createBroker()
  const server = createServer((socket) => void broker.handle(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const processes = [createProcessMessages(url), createProcessMessages(url)]
  await Promise.all(processes.map((messages) => messages.open()))
  const [own, other] = processes.map((messages) => createPageNotifications(messages, true))
  const notifyOther = jest.fn(() => Promise.resolve(2))
  own!.serve(() => Promise.resolve(1))
  other!.serve(notifyOther)

  expect(await own!.deliver([])).toBe(3)
  expect(notifyOther).toHaveBeenCalledTimes(1)

  await Promise.all(processes.map((messages) => messages.close()))
  await new Promise<void>((resolve) => broker.close(resolve))
  server.close()
})
