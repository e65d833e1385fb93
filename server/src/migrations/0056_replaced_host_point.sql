-- Hosts that were replaced kept their point on the plan, under their successor.
UPDATE "device" SET "x" = NULL, "y" = NULL
FROM "edge_host", "device" AS "next"
WHERE "edge_host"."project_id" = "device"."project_id" AND "edge_host"."device_id" = "device"."id"
	AND "next"."project_id" = "device"."project_id" AND "next"."id" = "edge_host"."replaced_by"
	AND "device"."state" = 'disabled' AND "device"."floor_id" = "next"."floor_id"
	AND "device"."x" = "next"."x" AND "device"."y" = "next"."y";
