import type { SceneScope } from './scene.schema'
import { createSceneScope, getScopePlaces } from './sceneScope'

it.each<SceneScope>([
  { kind: 'project' },
  { kind: 'space', spaceId: 'floor' },
  { kind: 'group', groupId: 'lobby lamps' },
  { kind: 'devices', deviceIds: ['a', 'b'] },
  { kind: 'places', spaceIds: ['floor', 'hall'], groupIds: [], deviceIds: [] },
  { kind: 'places', spaceIds: ['floor'], groupIds: [], deviceIds: ['a'] },
  { kind: 'places', spaceIds: [], groupIds: ['lobby lamps'], deviceIds: ['a'] },
])('keeps the scope %j through its places', (scope) =>
  expect(createSceneScope(getScopePlaces(scope))).toEqual(scope),
)

it('has no scope without a place', () =>
  expect(
    createSceneScope({ isWholeProject: false, spaceIds: [], groupIds: [], deviceIds: [] }),
  ).toBeUndefined())
