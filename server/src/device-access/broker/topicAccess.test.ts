import { canAccessTopic } from './topicAccess'

const gateway = { productKey: 'gw', deviceName: 'g1', children: new Set(['lamp&l1']) }

describe('topics of a device', () => {
  it.each([
    '#',
    '+/#',
    '/sys/#',
    '/sys/gw/+/thing/event/property/post',
    '/sys/+/g1/thing/#',
    '/sys/gw/g2/thing/event/property/post',
    '/sys/lamp/l2/thing/service/property/set',
    '/sys/gw/g1',
    '/ext/session/lamp/l2/combine/login',
    '$SYS/#',
    '/shadow/get/gw/g2',
    '/ota/device/inform/gw/g2',
    '/ota/device/+/gw/g2',
    '/ext/ntp/gw/g2/request',
    '/ext/rrpc/+/#',
    '/ext/rrpc/1/sys/gw/g2/thing/service/Identify',
    '/ext/rrpc/gw/g1',
    '/gw/g2/user/update',
    '/gw/+/user/update',
    '/gw/g1',
    '/broadcast/gw/g1',
    'gw/g1/user/update',
    `/sys/gw/g1/${'x'.repeat(600)}`,
  ])('exclude %s', (topic) => expect(canAccessTopic(gateway, topic)).toBe(false))
  it.each([
    '/sys/gw/g1/thing/event/property/post',
    '/sys/gw/g1/thing/event/+/post_reply',
    '/sys/gw/g1/#',
    '/ext/session/gw/g1/combine/login_reply',
    '/ota/gw/g1/upgrade',
    '/ota/device/inform/gw/g1',
    '/ext/ntp/gw/g1/request',
    '/ext/error/gw/g1',
    '/ext/rrpc/+/sys/gw/g1/thing/service/+',
    '/ext/rrpc/8125/gw/g1/user/get',
    '/gw/g1/user/update',
    '/gw/g1/user/#',
    '/shadow/get/gw/g1',
    '/sys/lamp/l1/thing/service/property/set',
    '/lamp/l1/user/update',
  ])('include %s', (topic) => expect(canAccessTopic(gateway, topic)).toBe(true))
})
