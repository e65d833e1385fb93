ALTER TABLE "energy_run" ADD COLUMN "doubtful_counter" double precision;--> statement-breakpoint
ALTER TABLE "energy_run" ADD COLUMN "doubtful_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "timing_time" timestamp with time zone;