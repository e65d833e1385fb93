import { reaches } from './topicRules'

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
    `/sys/gw/g1/${'x'.repeat(600)}`,
  ])('exclude %s', (topic) => expect(reaches(gateway, topic)).toBe(false))
  it.each([
    '/sys/gw/g1/thing/event/property/post',
    '/sys/gw/g1/thing/event/+/post_reply',
    '/sys/gw/g1/#',
    '/ext/session/gw/g1/combine/login_reply',
    '/ota/gw/g1/upgrade',
    '/shadow/get/gw/g1',
    '/sys/lamp/l1/thing/service/property/set',
  ])('include %s', (topic) => expect(reaches(gateway, topic)).toBe(true))
})
