ALTER TABLE "project" ADD COLUMN "status_time" timestamp with time zone;--> statement-breakpoint
-- Until now the audit log alone had this time.
UPDATE "project" SET "status_time" = (
	SELECT max("time") FROM "action_log"
	WHERE "entity" = '项目' AND "entity_id" = "project"."row_id"::text AND "ok" AND "changes" @> '[{"field": "status"}]'
);
