ALTER TABLE "energy_run" ADD COLUMN "doubtful_counter" double precision;--> statement-breakpoint
ALTER TABLE "energy_run" ADD COLUMN "doubtful_since" timestamp with time zone;