/** The SDK ships no types; this declares the part that the test uses. */
declare module 'alibabacloud-iot-device-sdk' {
  type Triple = { productKey: string; deviceName: string; deviceSecret: string }
  type Message = { id: string; method: string; params: Record<string, number> }
  type Done = (reply: { id: string; code: number; message?: string; data?: unknown }) => void
  export interface SdkDevice {
    on(event: string, listener: (arguments_: [Error]) => void): this
    end(force?: boolean): void
    publish(topic: string, payload: string): void
    onProps(listener: (message: Message) => void): void
    onService(
      name: string,
      listener: (message: Message, reply: (reply: object, kind: 'async' | 'sync') => void) => void,
    ): void
    postProps(values: Record<string, number>, done: Done): void
    postTags(tags: { attrKey: string; attrValue: string }[], done: Done): void
    deleteTags(keys: string[], done: Done): void
    getConfig(done: Done): void
    onShadow(listener: (reply: { payload: Record<string, unknown> }) => void): void
    getShadow(): void
    postShadow(reported: object): void
    deleteShadow(keys?: string[]): void
    postEvent(name: string, values: Record<string, number>, done: Done): void
  }
  export interface SdkGateway extends SdkDevice {
    addTopo(devices: Triple[], done: Done): void
    getTopo(done: Done): void
    removeTopo(devices: { productKey: string; deviceName: string }[], done: Done): void
    login(device: Triple, done: Done): SdkDevice
    logout(device: { productKey: string; deviceName: string }, done: Done): void
    regiestSubDevice(devices: { productKey: string; deviceName: string }[], done: Done): void
  }
  const iot: {
    device(options: Triple & { brokerUrl: string }): SdkDevice
    /** The callback receives the reply, including a refusal. */
    register(
      options: {
        productKey: string
        productSecret: string
        deviceName: string
        registerURL: string
        signMethod?: string
      },
      done: (answer: { code: number; data?: { deviceSecret: string } }) => void,
    ): void
    gateway(options: Triple & { brokerUrl: string }): SdkGateway
  }
  export default iot
}
