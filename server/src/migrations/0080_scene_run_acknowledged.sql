ALTER TABLE "scene_run" ADD COLUMN "acknowledged_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "scene_run" ADD COLUMN "acknowledged_time" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scene_run" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- What nobody could acknowledge before is not brought up weeks later.
UPDATE "scene_run" SET "acknowledged_time" = "create_time", "acknowledged_by" = '升级' WHERE "create_time" < now() - interval '7 days';--> statement-breakpoint
CREATE INDEX "scene_run_open" ON "scene_run" USING btree ("project_id","scene_id") WHERE "cause" in ('timer', 'condition') and "status" in ('missed', 'failed') and "acknowledged_time" is null;
